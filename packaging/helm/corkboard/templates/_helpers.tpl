{{- define "corkboard.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "corkboard.selector" -}}
app.kubernetes.io/name: corkboard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "corkboard.labels" -}}
{{ include "corkboard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
