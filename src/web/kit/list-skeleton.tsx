const WIDTHS = ['62%', '48%', '71%', '40%', '55%', '66%']

/** A placeholder while a list loads. */
export const ListSkeleton = () => (
  <div className="skeleton" aria-hidden="true">
    {WIDTHS.map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)
