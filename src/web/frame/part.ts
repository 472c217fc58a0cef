import { type ComponentType, createElement, lazy } from 'react'

const TRIES = 3
const PAUSE_MS = 1000

/** A part of the app that is fetched when it is first shown; one that failed is fetched anew. */
export function part<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  const make = () =>
    lazy(() =>
      fetched(load, TRIES).catch((error) => {
        // Not at once: this fault is still to be told.
        setTimeout(() => {
          current = make()
        }, PAUSE_MS)
        throw error
      }),
    )
  let current = make()
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, outside of all that is drawn
  return function Part(props: P) {
    return createElement(current as ComponentType<P>, props)
  }
}

async function fetched<T>(load: () => Promise<T>, tries: number): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (tries <= 1) throw error
    await new Promise((go) => setTimeout(go, PAUSE_MS))
    return fetched(load, tries - 1)
  }
}
