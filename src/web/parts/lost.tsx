import { wordsOf } from '../data/client.ts'

/** What was asked for did not come, and why. */
export const Lost = ({ error, onAgain }: { error: Error; onAgain(): void }) => (
  <div className="empty" role="alert">
    <p>{wordsOf(error)}</p>
    <button type="button" className="button plain" onClick={onAgain}>
      Try again
    </button>
  </div>
)
