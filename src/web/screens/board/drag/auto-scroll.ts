type Library = typeof import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element')

/** Loaded at the first pointer event, so that the first paint does not wait for it. */
const dragLibrary = new Promise<Library>((resolve) => {
  const load = () =>
    void import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element').then(resolve, () => {
      // If loading fails, dragging works but does not scroll. The next pointer event tries again.
      addEventListener('pointermove', load, { once: true, passive: true })
    })
  addEventListener('pointermove', load, { once: true, passive: true })
})

/** Scrolls an element while something is dragged near its edge. */
export function autoScroll(element: Element): () => void {
  let isStopped = false
  let stop = () => {}
  void dragLibrary.then(({ autoScrollForElements }) => {
    if (!isStopped) stop = autoScrollForElements({ element })
  })
  return () => {
    isStopped = true
    stop()
  }
}
