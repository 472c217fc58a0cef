import './harbour.css'

/** An illustration of a harbour. The sun rises once, without further motion. */
export const Harbour = () => (
  <svg className="harbour" viewBox="0 0 240 132" width="240" height="132" aria-hidden="true">
    <clipPath id="sky">
      <path d="M0 0h240v84H0z" />
    </clipPath>
    <g clipPath="url(#sky)">
      <circle className="sun" cx="120" cy="80" r="30" />
    </g>
    <g className="light">
      <path d="M186 84l5-40h10l5 40zM189 44h14v-8l-7-6-7 6z" />
      <path className="lamp" d="M192.5 37.5h7v6h-7z" />
      <path className="band" d="M189.4 57h13.2l.9 8h-15z" />
    </g>
    <path className="shore" d="M0 84h240" />
    <g className="waves">
      <path d="M84 95h72M96 104h48M108 113h24M20 98h34M188 100h30M36 110h20M172 114h26" />
    </g>
    <g className="boat">
      <path className="hull" d="M52 78h30l-5 7H57z" />
      <path d="M66 76V56l14 20zM64 76V61l-9 15z" />
    </g>
  </svg>
)
