import './check-node.mjs'

void import('./run/run-nemesis.mjs')
