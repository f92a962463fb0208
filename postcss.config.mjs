/** @type {{ plugins: Record<string, object> }} */
export default { plugins: { '@tailwindcss/postcss': {} } }
