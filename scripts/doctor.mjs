import './check-node.mjs'

void import('./run/run-doctor.mjs')
