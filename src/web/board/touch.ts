/** Where a finger dropped a card. */
export interface TouchDrop {
  task_id: number
  /** Undefined when dropped on a day. */
  section_id: number | undefined
  /** The lane or day where the drag started, and where it ended. */
  from: string | undefined
  to: string | undefined
  /** The card next to which it was dropped; undefined puts it at the end. */
  beside: number | undefined
  isBelow: boolean
}

export interface TouchHandlers {
  onDropped(let_go: TouchDrop): void
  /** The card was held and not moved. */
  onHeld(task_id: number): void
}

let touchCount = 0
export const isTouched = () => touchCount > 0
/** Counts the fingers on cards. */
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
export const markCarried = (element: HTMLElement, isDragged: boolean) =>
  setDataAttribute(element, 'carried', isDragged ? '1' : null)

export type Point = Pick<Touch, 'clientX' | 'clientY'>

/** The day below a point, looking through bars that span several days. */
export const dayElementAt = ({ clientX, clientY }: Point): HTMLElement | undefined =>
  document
    .elementsFromPoint(clientX, clientY)
    .find((element): element is HTMLElement => element.matches('[data-day]'))
