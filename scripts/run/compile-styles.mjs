import tailwind from '@tailwindcss/postcss'
import postcss from 'postcss'

/**
 * A loader: compiles a stylesheet with Tailwind, to be imported as text. The root layout puts it into each page, so
 * that no page waits for a second answer before it can be painted. Every source that names classes is watched.
 */
export default async function compileStyles(source) {
  const done = this.async()
  try {
    const plugin = tailwind({ base: this.rootContext, optimize: { minify: this.mode !== 'development' } })
    const { css, messages } = await postcss([plugin]).process(source, { from: this.resourcePath, map: false })
    for (const { type, file, dir } of messages) {
      if (type === 'dependency') this.addDependency(file)
      if (type === 'dir-dependency') this.addContextDependency(dir)
    }
    done(null, css)
  } catch (error) {
    done(error)
  }
}
