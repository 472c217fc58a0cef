export const Refusal = ({ words }: { words: string }) => (
  <p className="refusal" role="alert">
    {words}
  </p>
)
