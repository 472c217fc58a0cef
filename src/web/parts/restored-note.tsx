interface Props {
  isRestored: boolean
  /** The stored text has changed since. */
  isOutdated?: boolean
  reset(): void
}

/** Tells that a form shows a restored draft, and offers to discard it. */
export const RestoredNote = ({ isRestored, isOutdated = false, reset }: Props) => (
  <>
    {isOutdated
      ? 'It was changed meanwhile; saving puts yours in its place.'
      : isRestored && 'This is what you typed before and did not save.'}
    {isRestored && (
      <button type="button" className="button quiet" onClick={reset}>
        Begin anew
      </button>
    )}
  </>
)
