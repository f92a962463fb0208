import './check-node.mjs'

void import('./run/run-move-store.mjs')
