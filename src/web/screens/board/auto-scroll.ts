type Library = typeof import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element')

/** Nobody drags before they point, so the first paint does not wait for this library. */
const dragLibrary = new Promise<Library>((resolve) => {
  const load = () =>
    void import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element').then(resolve, () => {
      // Without the server a drag works, but does not scroll. The next pointer event tries again.
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
