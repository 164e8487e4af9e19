# install target: headers, library, command and the package that find_package(baltoro) finds.
