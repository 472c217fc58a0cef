import type { CDPSession, Locator, Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'

export type Point = [x: number, y: number]

export const centerOf = async (element: Locator): Promise<Point> => {
  const { x, y, width, height } = (await element.boundingBox())!
  return [x + width / 2, y + height / 2]
}

/** Waits until the board, which loads this code on its own, handles touches. */
export async function waitForTouchDrag(page: Page, cdp: CDPSession) {
  await page.locator('[data-task]').first().waitFor()
  await expectEventually(async () => {
    const { result } = await cdp.send('Runtime.evaluate', {
      expression: "document.getElementById('main')",
    })
    const { listeners } = await cdp.send('DOMDebugger.getEventListeners', {
      objectId: result.objectId!,
    })
    return listeners.some(({ type }) => type === 'touchstart')
  }, true)
}

/** A finger on a touch screen, by touch events over CDP. */
export const fingerOf = (cdp: CDPSession) => {
  const dispatch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: Point) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: point ? [{ x: point[0], y: point[1] }] : [],
    })
  return {
    down: (point: Point) => dispatch('touchStart', point),
    up: () => dispatch('touchEnd'),
    async move([x, y]: Point, [toX, toY]: Point, steps = 8) {
      for (let step = 1; step <= steps; step++)
        await dispatch('touchMove', [
          x + ((toX - x) * step) / steps,
          y + ((toY - y) * step) / steps,
        ])
    },
  }
}

/** Swipes with a finger, and waits until what it scrolls has come to rest. */
export async function swipe(
  scrolled: Locator,
  finger: ReturnType<typeof fingerOf>,
  from: Point,
  to: Point,
) {
  const rest = await scrolled.evaluateHandle((element) => ({
    end: new Promise((resolve) => element.addEventListener('scrollend', resolve, { once: true })),
  }))
  await finger.down(from)
  await finger.move(from, to)
  await finger.up()
  await rest.evaluate(async ({ end }) => void (await end))
}
