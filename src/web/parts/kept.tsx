interface Props {
  isKept: boolean
  /** What is stored is another one by now. */
  isPassed?: boolean
  anew(): void
}

/** Says of what stands in a form where it comes from, and how it is begun anew. */
export const Kept = ({ isKept, isPassed = false, anew }: Props) => (
  <>
    {isPassed
      ? 'It was changed meanwhile; saving puts yours in its place.'
      : isKept && 'This is what you typed before and did not save.'}
    {isKept && (
      <button type="button" className="button quiet" onClick={anew}>
        Begin anew
      </button>
    )}
  </>
)
