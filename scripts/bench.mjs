import './check-node.mjs'

void import('./bench/run-bench.mjs')
