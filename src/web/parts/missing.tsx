import { Link } from 'wouter'
import { cache } from '../data/cache.ts'

/** From a screen that is not there: home where it is unknown, once more where it only failed. */
export const WayOn = ({ isUnknown }: { isUnknown: boolean }) =>
  isUnknown ? (
    <Link href="/" className="button plain">
      Go to your board
    </Link>
  ) : (
    <button
      type="button"
      className="button plain"
      onClick={() => void cache.refetchQueries({ type: 'active' })}
    >
      Try again
    </button>
  )
