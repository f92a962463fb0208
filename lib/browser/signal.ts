/** Something that changes and can be listened to; the shape that `useSyncExternalStore` takes. */
export class Signal {
  readonly #listeners = new Set<() => void>()
  #version = 0

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly getVersion = (): number => this.#version

  notify(): void {
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }
}
