import './steps.css'

const STEPS = ['Your team', 'A board', 'Your agent']

/** The progress of the first steps; the server's own page shows step one. */
export const Steps = ({ current }: { current: number }) => (
  <ol className="steps" aria-label="First steps">
    {STEPS.map((name, index) => (
      <li
        key={name}
        aria-current={index === current ? 'step' : undefined}
        data-done={index < current}
      >
        {name}
        {index < current && <span className="unseen">, done</span>}
      </li>
    ))}
  </ol>
)
