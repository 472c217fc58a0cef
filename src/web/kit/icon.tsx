/** Paths on a grid of 16, drawn in the colour of the text. */
const PATHS = {
  agent: 'M3.5 6h9v6.5h-9zM8 6V3.5M6 9h.01M10 9h.01M1.5 8.5v2M14.5 8.5v2',
  alert: 'M8 2.5 14 13.5H2zM8 6.5v3M8 11.6h.01',
  archive: 'M2.5 3.5h11v3h-11zM3.5 6.5v6h9v-6M6.5 9h3',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  back: 'M13 8H3M7 4 3 8l4 4',
  bars: 'M3.5 13v-3M8 13V7M12.5 13V3.5',
  bell: 'M4 7a4 4 0 0 1 8 0c0 3 1.5 4 1.5 4h-11S4 10 4 7M6.5 13.2a1.6 1.6 0 0 0 3 0',
  blocked: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M4.2 4.2l7.6 7.6',
  board: 'M2.5 3h3v10h-3zM6.5 3h3v7h-3zM10.5 3h3v5h-3z',
  calendar: 'M2.5 4h11v9h-11zM2.5 7h11M5.5 2.5V5M10.5 2.5V5',
  chart: 'M2.5 2.5v11h11M5.5 11V8M8.5 11V5M11.5 11V6.5',
  canvas: 'M2.5 3h11v10h-11zM2.5 6h11M6.8 8 5.2 9.5l1.6 1.5M9.2 8l1.6 1.5L9.2 11',
  check: 'M3 8.5 6.5 12 13 4.5',
  chevron: 'M6 4l4 4-4 4',
  clip: 'M12.5 7.5 7.8 12.2a3 3 0 0 1-4.2-4.2l5-5a2 2 0 0 1 2.8 2.8l-5 5a1 1 0 0 1-1.4-1.4l4.6-4.6',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3l2 1.5',
  close: 'M4 4l8 8M12 4l-8 8',
  comment: 'M2.5 3.5h11v7.5H8l-3 2.5V11H2.5z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  done: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M5.4 8.2l1.8 1.8 3.4-3.8',
  down: 'M8 3v10M4 9l4 4 4-4',
  expand: 'M9.5 3H13v3.5M6.5 13H3V9.5M13 3 9 7M3 13l4-4',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  folder: 'M2.5 4h4l1.5 1.5h5.5V13h-11z',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  history: 'M3 5.5A5.5 5.5 0 1 1 2.5 8M2.5 2.5v3h3M8 5v3.2l2 1.3',
  home: 'M2.5 7.5 8 3l5.5 4.5V13h-11zM6.5 13V9.5h3V13',
  camera:
    'M2 5.5A1.5 1.5 0 0 1 3.5 4H5l1-1.5h4L11 4h1.5A1.5 1.5 0 0 1 14 5.5v6a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 11.5zM8 6a2.25 2.25 0 1 0 0 4.5A2.25 2.25 0 1 0 8 6',
  inbox: 'M2.5 9 4.5 3.5h7l2 5.5v3.5h-11zM2.5 9H6l1 1.5h2L10 9h3.5',
  link: 'M6.5 9.5l3-3M7.2 5l1.9-1.9a2.7 2.7 0 0 1 3.8 3.8L11 8.8M8.8 11l-1.9 1.9a2.7 2.7 0 0 1-3.8-3.8L5 7.2',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  mine: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M3 13.5c.4-2.6 2.3-4 5-4s4.6 1.4 5 4',
  moon: 'M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5',
  open: 'M9.5 3H13v3.5M13 3 7.5 8.5M11 9.5V13H3V5h3.5',
  page: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  pause: 'M5.5 4v8M10.5 4v8',
  pencil: 'M3 13l.6-2.8 7.2-7.2 2.2 2.2-7.2 7.2zM9.4 4.4l2.2 2.2',
  pin: 'M6 2.5h4M7 2.5v4L5 9h6L9 6.5v-4M8 9v4.5',
  play: 'M5 3.5v9l7-4.5z',
  plus: 'M8 3v10M3 8h10',
  read: 'M2.5 6.5 8 3l5.5 3.5V13h-11zM2.5 6.5 8 10l5.5-3.5',
  repeat: 'M3 7a4 4 0 0 1 4-3.5h5M10 1.5l2 2-2 2M13 9a4 4 0 0 1-4 3.5H4M6 14.5l-2-2 2-2',
  reply: 'M6.5 4 3 7.5 6.5 11M3 7.5h6a4 4 0 0 1 4 4v1',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5l3 3',
  settings: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3',
  smile:
    'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M5.7 9.3c1 1.6 3.6 1.6 4.6 0M6.2 6.3h.01M9.8 6.3h.01',
  spark: 'M8 2.5l1.5 4 4 1.5-4 1.5L8 13.5l-1.5-4-4-1.5 4-1.5z',
  stop: 'M4.5 4.5h7v7h-7z',
  subtasks: 'M3.5 3v7.5H8M3.5 6.5H8M8 5h5.5v3H8zM8 9h5.5v3H8z',
  up: 'M8 13V3M4 7l4-4 4 4',
  under: 'M3.5 3v5.5a2 2 0 0 0 2 2h7M9.5 7.5l3 3-3 3',
  sun: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M8 2v1M8 13v1M2 8h1M13 8h1M3.8 3.8l.7.7M11.5 11.5l.7.7M12.2 3.8l-.7.7M4.5 11.5l-.7.7',
  tag: 'M2.5 8.5v-6h6l5 5-6 6zM5.5 5.5h.01',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9',
} as const
export type IconName = keyof typeof PATHS

export const Icon = ({ name, label }: { name: IconName; label?: string }) => (
  // biome-ignore lint/a11y/noSvgWithoutTitle: icons with a label have an accessible name, the others are hidden
  <svg
    className="icon"
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
  >
    <path d={PATHS[name]} />
  </svg>
)
