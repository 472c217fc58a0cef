import { Link } from 'wouter'

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
