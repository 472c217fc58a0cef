/** Where a finger let go of a card. */
export interface Let {
  task_id: number
  /** Not of a day. */
  section_id: number | undefined
  /** The lane or the day that it was taken from, and the one that it is put down in. */
  from: string | undefined
  to: string | undefined
  /** The card that it is put down beside; nothing: below all. */
  beside: number | undefined
  isBelow: boolean
}

export interface Ears {
  dropped(let_go: Let): void
  /** It was rested on and not moved. */
  held(task_id: number): void
}

let touched = 0
export const isTouched = () => touched > 0
/** Counts the fingers that rest on cards. */
export const noteTouch = (by: 1 | -1) => {
  touched += by
}

/** In attributes of their own, since the classes are written anew whenever a card changes. */
const put = (element: HTMLElement, name: string, value: string | null) => {
  if (value) element.dataset[name] = value
  else delete element.dataset[name]
}
export const markDrop = (element: HTMLElement, edge: string | null) => put(element, 'drop', edge)
export const markOver = (element: HTMLElement, is: boolean) => put(element, 'over', is ? '1' : null)
export const markCarried = (element: HTMLElement, is: boolean) =>
  put(element, 'carried', is ? '1' : null)

export type Point = Pick<Touch, 'clientX' | 'clientY'>

/** What lies across several days is not in the way. */
export const dayBelow = ({ clientX, clientY }: Point): HTMLElement | undefined =>
  document
    .elementsFromPoint(clientX, clientY)
    .find((one): one is HTMLElement => one.matches('[data-day]'))
