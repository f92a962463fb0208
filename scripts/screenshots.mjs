import './check-node.mjs'

void import('./run/make-screenshots.mjs')
