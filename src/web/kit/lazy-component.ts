import { type ComponentType, createElement, lazy, useEffect, useState } from 'react'
import { t } from '../messages/t.ts'

/** A code chunk could not be loaded: the server is unreachable, or serves a newer version. */
export class ChunkLoadError extends Error {
  /**
   * Must be called after the error was shown; without it React would retry at once, again and
   * again.
   */
  constructor(readonly reset: () => void) {
    super(t('kit.part_of_the_app_could_not_be_name'))
  }
}

const MAX_ATTEMPTS = 3
const PAUSE_MS = 1000

type Load<P> = () => Promise<{ default: ComponentType<P> }>

/** A component that is loaded when it is first shown. After a failure it is loaded again. */
export const lazyComponent = <P extends object>(load: Load<P>) =>
  firstScreen(async () => {
    const [module] = await Promise.all([load(), loadLaterStyles()])
    return module
  })

/**
 * A lazy component that does not wait for the later stylesheet. `FIRST` in scripts/web.ts must list
 * it, so that the first stylesheet contains its styles.
 */
export function firstScreen<P extends object>(load: Load<P>) {
  let loaded: ComponentType<P> | undefined
  const loadModule = async () => {
    const module = await load()
    loaded = module.default
    return module
  }
  const createLazy = () =>
    lazy(() =>
      fetchWithRetry(loadModule, MAX_ATTEMPTS).catch(() => {
        throw new ChunkLoadError(() => {
          current = createLazy()
        })
      }),
    )
  let current = createLazy()
  // biome-ignore lint/correctness/noComponentHookFactories: created once per module, never during a render
  function LazyComponent(props: P) {
    // React shows a suspended component with a delay; a loaded one must not suspend.
    const [Component] = useState(() => loaded ?? (current as ComponentType<P>))
    return createElement(Component, props)
  }
  /** Loads the code in advance, so that the component shows at once and without the server. */
  LazyComponent.preload = (): Promise<void> =>
    loadModule().then(
      () => {},
      () => {},
    )
  return LazyComponent
}

interface Preloadable {
  preload(): Promise<void>
}

/** The screen is drawn by then. */
const PRELOAD_DELAY_MS = 1500

/**
 * Loads parts of a screen in advance. Otherwise they would appear at least 300 ms late when first
 * shown, however fast they load, because React shows a placeholder for that long.
 */
export function usePreloaded(parts: readonly Preloadable[], delay = PRELOAD_DELAY_MS) {
  useEffect(() => {
    const timer = setTimeout(preloadAll, delay, parts)
    return () => clearTimeout(timer)
  }, [parts, delay])
}

/** Loads one part after the other, because all at once would block the page. */
const preloadAll = async (parts: readonly Preloadable[]) => {
  for (const part of parts) await part.preload()
}

async function fetchWithRetry<T>(load: () => Promise<T>, attemptsLeft: number): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (attemptsLeft <= 1) throw error
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    return fetchWithRetry(load, attemptsLeft - 1)
  }
}

let laterStyles: Promise<unknown> | undefined

/** Loads the stylesheet of all but the first screens. */
function loadLaterStyles(): Promise<unknown> {
  laterStyles ??= new Promise((resolve, reject) => {
    const { content } = document.querySelector<HTMLMetaElement>('meta[name=later-styles]')!
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: content })
    link.onload = resolve
    link.onerror = () => {
      link.remove()
      laterStyles = undefined
      reject(new Error(content))
    }
    document.head.append(link)
  })
  return laterStyles
}
