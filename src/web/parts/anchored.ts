interface Virtual {
  shouldAdjustScrollPositionOnItemSizeChange?: unknown
}

const never = () => false

/** Leaves it to `frame/anchoring.ts` to hold what is read: both together would move it twice. */
export function anchored<V extends Virtual>(virtual: V): V {
  virtual.shouldAdjustScrollPositionOnItemSizeChange = never
  return virtual
}
