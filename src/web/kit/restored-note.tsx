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
      ? 'Somebody else changed this. Saving overwrites their version.'
      : isRestored && 'Your unsaved text was restored.'}
    {isRestored && (
      <button type="button" className="button quiet" onClick={reset}>
        Discard
      </button>
    )}
  </>
)
