/** Nothing from any other host: whatever the viewer might still want to fetch is refused. */
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

const CONFIGURATION = {
  url: '/docs/json',
  theme: 'default',
  // Each of these would speak to, or point to, the maker's own services.
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
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

export const page = (script: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Corkboard API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>The routes are listed in <a href="/docs/json">/docs/json</a>.</noscript>
<script id="api-reference" data-configuration="${escaped(JSON.stringify(CONFIGURATION))}"></script>
<script src="${script}"></script>
</body>
</html>
`
