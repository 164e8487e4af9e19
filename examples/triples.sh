#!/bin/sh
# A labelled graph: triples of names, one relation of them or all.
# Run in an empty folder, with `baltoro` on the PATH.
set -e

printf 'git\tDepends\tperl\ngit\tSuggests\tless\nperl\tDepends\tlibc6\n' > packages.tsv
baltoro build packages.tsv -o packages.k2m
baltoro bfs packages.k2m --source git --relation Depends
