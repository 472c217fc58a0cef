import { agoWords } from '../../kit/dates.ts'

interface Props {
  at: number
  onEdit(): void
  onDrop(): void
}

/** Offers an unsaved draft to continue or discard. */
export const Unsaved = ({ at, onEdit, onDrop }: Props) => (
  <p className="notice">
    <span>Unsaved draft, last edited {agoWords(new Date(at).toISOString()).short}</span>
    <button type="button" className="button quiet" onClick={onEdit}>
      Continue writing
    </button>
    <button type="button" className="button quiet" onClick={onDrop}>
      Discard
    </button>
  </p>
)
