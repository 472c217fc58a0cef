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
