import './check-node.mjs'

void import('./run/run-user.mjs')
