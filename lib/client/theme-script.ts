/** Where the device's storage keeps the theme. */
export const themeKey = 'theme'

/** Stands in the page and runs before anything is painted, so that no page flashes in the other theme. */
export const themeScript = `try{const t=localStorage.getItem('${themeKey}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`
