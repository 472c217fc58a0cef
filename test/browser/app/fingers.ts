import type { CDPSession, Locator } from 'playwright-core'

export type Point = [x: number, y: number]

export const middle = async (one: Locator): Promise<Point> => {
  const { x, y, width, height } = (await one.boundingBox())!
  return [x + width / 2, y + height / 2]
}

/** A finger on a touch screen, by touch events over CDP. */
export const fingerOf = (cdp: CDPSession) => {
  const say = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: Point) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: point ? [{ x: point[0], y: point[1] }] : [],
    })
  return {
    down: (point: Point) => say('touchStart', point),
    up: () => say('touchEnd'),
    async slide([x, y]: Point, [toX, toY]: Point, steps = 8) {
      for (let at = 1; at <= steps; at++)
        await say('touchMove', [x + ((toX - x) * at) / steps, y + ((toY - y) * at) / steps])
    },
  }
}
