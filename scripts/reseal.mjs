import './check-node.mjs'

void import('./run/run-reseal.mjs')
