import { Link } from 'wouter'

const WIDTHS = ['62%', '48%', '71%', '40%', '55%', '66%']

/** A placeholder while the report loads. */
export const ListSkeleton = () => (
  <div className="waiting" aria-hidden="true">
    {WIDTHS.map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)

export const NoBoard = ({ text }: { text: string }) => (
  <div className="empty">
    <span className="pin" aria-hidden="true" />
    <h2>No boards yet</h2>
    <p className="soft">{text}</p>
    <Link className="button plain" href="/new">
      Create board
    </Link>
  </div>
)
