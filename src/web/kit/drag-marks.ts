let touchCount = 0
export const isTouched = () => touchCount > 0
/** Adds 1 when a finger touches a card, and -1 when it is lifted. */
export const countTouch = (by: 1 | -1) => {
  touchCount += by
}

/** Uses data attributes, because React rewrites the classes whenever a card changes. */
const setDataAttribute = (element: HTMLElement, name: string, value: string | null) => {
  if (value) element.dataset[name] = value
  else delete element.dataset[name]
}
export const markDrop = (element: HTMLElement, edge: string | null) =>
  setDataAttribute(element, 'drop', edge)
export const markOver = (element: HTMLElement, isOver: boolean) =>
  setDataAttribute(element, 'over', isOver ? '1' : null)
export const markDragged = (element: HTMLElement, isDragged: boolean) =>
  setDataAttribute(element, 'carried', isDragged ? '1' : null)
