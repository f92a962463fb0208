import './check-node.mjs'

void import('./bench/run-memory.mjs')
