/** The localStorage key. */
export const themeKey = 'theme'

/** Inlined in the page and run before the first paint, so that no page flashes in the other theme. */
export const themeScript = `try{const t=localStorage.getItem('${themeKey}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`
