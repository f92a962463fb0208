import './check-node.mjs'

void import('./run/run-migrate.mjs')
