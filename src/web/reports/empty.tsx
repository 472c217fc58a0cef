import { Link } from 'wouter'

const SHAPES = ['62%', '48%', '71%', '40%', '55%', '66%']

/** The shape of what comes, where that takes a while. */
export const Shape = () => (
  <div className="waiting" aria-hidden="true">
    {SHAPES.map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)

export const NoBoard = ({ words }: { words: string }) => (
  <div className="empty">
    <span className="pin" aria-hidden="true" />
    <h2>There is no board yet</h2>
    <p className="soft">{words}</p>
    <Link className="button plain" href="/new">
      Make a board
    </Link>
  </div>
)
