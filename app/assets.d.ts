/** A stylesheet, compiled, as text (see next.config.mjs). */
declare module '*.pcss' {
  const text: string
  export default text
}

/** A font: its address. */
declare module '*.woff2' {
  const url: string
  export default url
}
