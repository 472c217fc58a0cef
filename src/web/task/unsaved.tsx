import { agoWords } from '../parts/dates.ts'

interface Props {
  at: number
  onEdit(): void
  onDrop(): void
}

/** Offers an unsaved draft to continue or discard. */
export const Unsaved = ({ at, onEdit, onDrop }: Props) => (
  <p className="notice">
    <span>You wrote here {agoWords(new Date(at).toISOString()).short} and did not save it</span>
    <button type="button" className="button quiet" onClick={onEdit}>
      Go on writing
    </button>
    <button type="button" className="button quiet" onClick={onDrop}>
      Throw it away
    </button>
  </p>
)
