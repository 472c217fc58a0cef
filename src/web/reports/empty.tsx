import { wordsOf } from '../data/client.ts'

export const Lost = ({ error, onAgain }: { error: Error; onAgain(): void }) => (
  <div className="empty" role="alert">
    <p>{wordsOf(error)}</p>
    <button type="button" className="button plain" onClick={onAgain}>
      Try again
    </button>
  </div>
)

const SHAPES = ['62%', '48%', '71%', '40%', '55%', '66%']

/** The shape of what comes, where that takes a while. */
export const Shape = () => (
  <div className="waiting" aria-hidden="true">
    {SHAPES.map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)
