/**
 * The size of a scroller until it is measured. Without it, the first rendering would draw no rows;
 * they would be drawn after the measurement, in one piece that blocks the page.
 */
export const initialRect = { width: window.innerWidth, height: window.innerHeight }

interface ScrollAdjusting {
  shouldAdjustScrollPositionOnItemSizeChange?: unknown
}

const never = () => false

/**
 * Stops the virtualizer from adjusting the scroll position: `shell/anchoring.ts` does that, and
 * both together would adjust it twice.
 */
export function withoutScrollAdjustment<V extends ScrollAdjusting>(virtualizer: V): V {
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = never
  return virtualizer
}
