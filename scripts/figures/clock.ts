import type { Page } from 'playwright-core'

const PATIENCE_MS = 5000

/**
 * Measures in the page, from the moment that the browser gave an event to the end of the frame in
 * which its effect is painted: a message that is posted while a frame is made comes after it.
 */
function install(patience: number) {
  const painted = (isDone: () => boolean) => {
    const end = performance.now() + patience
    return new Promise<number>((give, fail) => {
      const frame = () => {
        if (!isDone()) {
          if (performance.now() > end) return fail(new Error(`It did not come: ${isDone}`))
          return void requestAnimationFrame(frame)
        }
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => give(performance.now())
        port2.postMessage(0)
      }
      requestAnimationFrame(frame)
    })
  }
  let next: Promise<number> | undefined
  const clock = {
    painted,
    arm(type: string, isDone: () => boolean) {
      next = new Promise((give, fail) => {
        const heard = (event: Event) =>
          painted(isDone).then((at) => give(at - event.timeStamp), fail)
        addEventListener(type, heard, { capture: true, once: true })
        setTimeout(() => fail(new Error(`There was no ${type}`)), 2 * patience)
      })
      // Whoever asks how long it took hears of the fault.
      next.catch(() => {})
    },
    took: () => next,
  }
  Object.assign(globalThis, { clock })
}

/** Puts the clock into every page that is opened from now on. */
export const installClock = (page: Page) => page.addInitScript(install, PATIENCE_MS)

/** Milliseconds from an event that `act` brings about to its effect on the screen. */
export async function timed(
  page: Page,
  type: string,
  isDone: string,
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`clock.arm('${type}', () => ${isDone})`)
  await act()
  return page.evaluate('clock.took()')
}

/** The moment, in milliseconds since the page began, at which something was first painted. */
export const paintedAt = (page: Page, isDone: string): Promise<number> =>
  page.evaluate(`clock.painted(() => ${isDone})`)
