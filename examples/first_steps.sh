#!/bin/sh
# First steps with the command: a list of edges of one's own, from text to answers.
# Run in an empty folder, with `baltoro` on the PATH.
set -e

cat > links.tsv <<END
# page  links to
0 1
0 2
1 2
2 0
3 2
4 3
END

baltoro build links.tsv -o links.k2m
baltoro info links.k2m
baltoro pagerank links.k2m --top 3 -o ranks.npy
baltoro bfs links.k2m --source 4 --to 2
baltoro components links.k2m --strong
baltoro triangles links.k2m --symmetrize
baltoro mxv links.k2m ranks.npy sums.npy   # y = A x: for each page, the ranks of those it links to
baltoro export links.k2m -o links.mtx
