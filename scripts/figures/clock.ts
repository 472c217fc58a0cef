import type { Page } from 'playwright-core'

const TIMEOUT_MS = 5000

/**
 * Measures in the page, from the time stamp of an event to the end of the frame that paints its
 * effect. A message that is posted in an animation frame arrives after the frame is painted.
 */
function install(timeout: number) {
  const painted = (isDone: () => boolean) => {
    const end = performance.now() + timeout
    return new Promise<number>((resolve, fail) => {
      const frame = () => {
        if (!isDone()) {
          if (performance.now() > end) return fail(new Error(`This did not become true: ${isDone}`))
          return void requestAnimationFrame(frame)
        }
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(0)
      }
      requestAnimationFrame(frame)
    })
  }
  let next: Promise<number> | undefined
  const clock = {
    painted,
    arm(type: string, isDone: () => boolean) {
      next = new Promise((resolve, fail) => {
        const listener = (event: Event) =>
          painted(isDone).then((at) => resolve(at - event.timeStamp), fail)
        addEventListener(type, listener, { capture: true, once: true })
        setTimeout(() => fail(new Error(`There was no ${type}`)), 2 * timeout)
      })
      // The error is reported by `duration`; this only prevents an unhandled rejection.
      next.catch(() => {})
    },
    duration: () => next,
  }
  Object.assign(globalThis, { clock })
}

/** Installs the clock in every page that is opened from now on. */
export const installClock = (page: Page) => page.addInitScript(install, TIMEOUT_MS)

/** Measures the milliseconds from an event that `act` causes to its effect on the screen. */
export async function measure(
  page: Page,
  type: string,
  isDone: string,
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`clock.arm('${type}', () => ${isDone})`)
  await act()
  return page.evaluate('clock.duration()')
}

/** The time in milliseconds since the page was requested at which something was first painted. */
export const firstPaintedAt = (page: Page, isDone: string): Promise<number> =>
  page.evaluate(`clock.painted(() => ${isDone})`)
