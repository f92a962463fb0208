import { noteNavigation } from './lib/client/navigations'

// Runs before any page's code: zod reads its settings from here when it is loaded. Without this one it tries
// whether it may evaluate code, which our content security policy forbids and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

export const onRouterTransitionStart = noteNavigation
