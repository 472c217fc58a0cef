/** Blocks everything that the viewer would load from other hosts. */
export const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The viewer's variables and the design tokens that they take. */
const VIEWER_VARIABLES = {
  'background-1': 'paper',
  'background-2': 'sunk',
  'background-3': 'hover',
  'background-accent': 'cork-paper',
  'color-1': 'ink',
  'color-2': 'soft',
  'color-3': 'soft',
  'color-accent': 'cork',
  'color-green': 'done',
  'color-red': 'wrong',
  'color-yellow': 'wait',
  'color-orange': 'cork',
  'color-blue': 'live',
  'color-purple': 'live',
  'border-color': 'line',
  font: 'sans',
  'font-code': 'mono',
  'sidebar-background-1': 'sunk',
  'sidebar-color-1': 'ink',
  'sidebar-color-2': 'soft',
  'sidebar-color-active': 'cork',
  'sidebar-item-hover-background': 'hover',
  'sidebar-item-active-background': 'hover',
  'sidebar-border-color': 'line',
  'button-1': 'cork',
  'button-1-color': 'on-cork',
}
const VIEWER_STYLE = `.light-mode, .dark-mode { ${Object.entries(VIEWER_VARIABLES)
  .map(([theirs, ours]) => `--scalar-${theirs}: var(--${ours});`)
  .join(' ')} }`

const CONFIGURATION = {
  theme: 'default',
  // Each of these would use or link to services of the viewer's maker.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  persistAuth: false,
  defaultOpenAllTags: true,
  hideModels: true,
  documentDownloadType: 'json',
  showOperationId: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hideDarkModeToggle: true,
  customCss: VIEWER_STYLE,
}

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

export const page = (basePath: string, script: string, theme?: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Corkboard API</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/look.css">
</head>
<body>
<noscript>The routes are listed in <a href="${basePath}/docs/json">${basePath}/docs/json</a>.</noscript>
<script id="api-reference" data-configuration="${escapeAttribute(JSON.stringify({ url: `${basePath}/docs/json`, ...CONFIGURATION, forceDarkModeState: theme }))}"></script>
<script src="${script}"></script>
</body>
</html>
`
