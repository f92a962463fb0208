import './check-node.mjs'

void import('./run/run-complete-integrity.mjs')
