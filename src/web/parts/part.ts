import { type ComponentType, createElement, lazy, useState } from 'react'

/** A part of the app was not to be had: the server is away, or has a newer app. */
export class Unfetched extends Error {
  /** To be called once it was told; else what asks for the part would ask again and again. */
  constructor(readonly renew: () => void) {
    super('A part of the app was not fetched')
  }
}

const TRIES = 3
const PAUSE_MS = 1000

/** A screen may ask for what it shows at an address before it is drawn there. */
type Screen<P> = ComponentType<P> & { begin?(path: string): Promise<unknown> }

/** A part of the app that is fetched when it is first shown; one that failed is fetched anew. */
export function part<P extends object>(load: () => Promise<{ default: Screen<P> }>) {
  let here: ComponentType<P> | undefined
  const keep = async () => {
    const found = await load()
    here = found.default
    return found
  }
  const make = () =>
    lazy(() =>
      fetched(keep, TRIES).catch(() => {
        throw new Unfetched(() => {
          current = make()
        })
      }),
    )
  let current = make()
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, outside of all that is drawn
  function Part(props: P) {
    // What waits is shown a while later than it could be; what is here need not wait.
    const [own] = useState(() => here ?? (current as ComponentType<P>))
    return createElement(own, props)
  }
  /** Fetched before somebody asks for it, so that it is there at once, and without the server. */
  Part.ahead = (path?: string): Promise<void> =>
    keep()
      .then(({ default: screen }) => (path === undefined ? undefined : screen.begin?.(path)))
      .then(
        () => {},
        () => {},
      )
  return Part
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
