import './steps.css'

const STEPS = ['Your team', 'A board', 'Your agent']

/** How far the first minutes have come; the server's own page shows the first. */
export const Steps = ({ at }: { at: number }) => (
  <ol className="steps" aria-label="First steps">
    {STEPS.map((name, index) => (
      <li key={name} aria-current={index === at ? 'step' : undefined} data-done={index < at}>
        {name}
        {index < at && <span className="unseen">, done</span>}
      </li>
    ))}
  </ol>
)
