/** Where a finger dropped a card. */
export interface TouchDrop {
  task_id: number
  /** Undefined when dropped on a day. */
  section_id: number | undefined
  /** The lane or day where the drag started, and where it ended. */
  from: string | undefined
  to: string | undefined
  /** The card next to which it was dropped; undefined puts it at the end. */
  neighbourId: number | undefined
  isBelow: boolean
}

export interface TouchHandlers {
  onDropped(touchDrop: TouchDrop): void
  /** The card is held and not moved. Returns what takes that back if it is dragged after all. */
  onHeld(task_id: number, point: Point): () => void
}

export type Point = Pick<Touch, 'clientX' | 'clientY'>

/** The day below a point, looking through bars that span several days. */
export const dayElementAt = ({ clientX, clientY }: Point): HTMLElement | undefined =>
  document
    .elementsFromPoint(clientX, clientY)
    .find((element): element is HTMLElement => element.matches('[data-day]'))
