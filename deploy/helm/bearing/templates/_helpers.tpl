{{- define "bearing.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else -}}
{{- $name := .Values.nameOverride | default "bearing" -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" (.Release.Name | trunc (int (sub 39 (len $name))) | trimSuffix "-") $name -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Names of the Deployments: four processes, or one that runs all four. */}}
{{- define "bearing.deployments" -}}
{{ ternary "one" "gateway identity management location" .Values.one.enabled }}
{{- end -}}

{{/* Labels that never change: selectors are immutable. Takes {root, name}. */}}
{{- define "bearing.selector" -}}
app.kubernetes.io/name: bearing
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* Metadata of an object. Takes {root, name} and optionally {suffix, labels, annotations}. */}}
{{- define "bearing.metadata" -}}
name: {{ include "bearing.fullname" .root }}-{{ .suffix | default .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "bearing.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
  helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
  {{- with merge (dict) (.labels | default dict) .root.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "bearing.image" -}}
{{- $image := .root.Values.image -}}
{{- with $image.registry }}{{ trimSuffix "/" . }}/{{ end }}bearing-{{ .name }}
{{- with index $image.digests .name }}@{{ . }}{{ else }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end -}}

{{/* A setting as text: whole numbers without an exponent, true and false as yes and no. */}}
{{- define "bearing.text" -}}
{{- if kindIs "bool" . -}}{{ ternary "yes" "no" . }}
{{- else if kindIs "float64" . -}}{{ if eq . (floor .) }}{{ printf "%.0f" . }}{{ else }}{{ . }}{{ end }}
{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* The value of a setting of a service, as text; nothing where it has its default. Takes {root, name, setting}. */}}
{{- define "bearing.setting" -}}
{{- $own := (index .root.Values .name).settings -}}
{{- if hasKey $own .setting }}{{ include "bearing.text" (index $own .setting) }}
{{- else if hasKey .root.Values.settings .setting }}{{ include "bearing.text" (index .root.Values.settings .setting) }}{{ end }}
{{- end -}}

{{/* The same, with the default of the service. */}}
{{- define "bearing.effective" -}}
{{- $known := index (.root.Files.Get "files/settings.json" | fromJson) .name -}}
{{- include "bearing.setting" . | default (index $known.plain .setting) -}}
{{- end -}}

{{/* A variable that comes from a Secret. Takes {secret, setting}. */}}
{{- define "bearing.secretVariable" -}}
{{- $reference := index .secret.references .setting | default (dict "name" .secret.name "key" .setting) -}}
- name: {{ .setting }}
  valueFrom:
    secretKeyRef: { name: {{ $reference.name }}, key: {{ $reference.key }} }
{{- end -}}

{{/* The environment of a service. Takes {root, name}. */}}
{{- define "bearing.environment" -}}
{{- $root := .root }}{{ $name := .name }}
{{- $service := index $root.Values $name }}
{{- $known := index ($root.Files.Get "files/settings.json" | fromJson) $name -}}
- { name: HEALTH_PORT, value: '9090' }
- name: NODE_NAME
  valueFrom: { fieldRef: { fieldPath: spec.nodeName } }
{{- if eq $name "gateway" }}
- { name: PORT, value: '8080' }
{{- end }}
{{- range $setting, $default := $known.plain }}
{{- with include "bearing.setting" (dict "root" $root "name" $name "setting" $setting) }}
- name: {{ $setting }}
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- $secrets := $known.required }}
{{- if $root.Values.nats.url }}
- name: NATS_URL
  value: {{ $root.Values.nats.url | quote }}
{{- $secrets = append $secrets "NATS_NKEY_SEED" }}
{{- else }}
{{- $secrets = append $secrets "NATS_URL" }}
{{- end }}
{{- if and $known.redis $root.Values.redis.enabled }}
{{- $secrets = append $secrets "REDIS_URL" }}
{{- end }}
{{- range concat $secrets $service.secret.optionalKeys (keys $service.secret.references) | uniq | sortAlpha }}
{{ include "bearing.secretVariable" (dict "secret" $service.secret "setting" .) }}
{{- end }}
{{- end -}}

{{/* The environment of the one process: that of each part, under its prefix. Its health ports follow HEALTH_PORT. Takes {root}. */}}
{{- define "bearing.environmentOfOne" -}}
- { name: HEALTH_PORT, value: '9090' }
{{- range $part := list "gateway" "identity" "management" "location" }}
{{- range include "bearing.environment" (dict "root" $.root "name" $part) | fromYamlArray }}
{{- if ne .name "HEALTH_PORT" }}
- {{ set . "name" (printf "%s__%s" (upper $part) .name) | toYaml | nindent 2 | trim }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Processes of a service at most. */}}
{{- define "bearing.processes" -}}
{{- $service := index .root.Values .name -}}
{{- $scaling := $service.autoscaling | default dict -}}
{{- if .root.Values.one.enabled }}1{{ else if $scaling.enabled }}{{ int $scaling.maxReplicas }}{{ else }}{{ int $service.replicas }}{{ end }}
{{- end -}}

{{/*
The number of replicas, or nothing. While something scales a Deployment, its number stays as it is: without the field, an apply would
reset it to 1 when autoscaling is switched on. Helm finds no Deployment at the first install and in `helm template`. Takes {root, name}.
*/}}
{{- define "bearing.replicas" -}}
{{- $service := index .root.Values .name -}}
{{- if eq .name "one" -}}1{{- else if ($service.autoscaling | default dict).enabled -}}
{{- $name := printf "%s-%s" (include "bearing.fullname" .root) .name -}}
{{- with lookup "apps/v1" "Deployment" .root.Release.Namespace $name }}{{ int .spec.replicas }}{{ end -}}
{{- else -}}{{ int $service.replicas }}{{- end -}}
{{- end -}}

{{/* Connections that one process of a service holds at most. */}}
{{- define "bearing.connections" -}}
{{- $pool := include "bearing.effective" (dict "root" .root "name" .name "setting" "DATABASE_POOL") | int -}}
{{- $more := index (.root.Files.Get "files/settings.json" | fromJson) .name "connections" | int -}}
{{- add $pool $more -}}
{{- end -}}

{{/* Connections to the primary at most, during a rollout too, and with three of the migration and ten for people and monitoring. */}}
{{- define "bearing.connectionBudget" -}}
{{- $sum := 13 -}}
{{- range list "identity" "management" "location" -}}
{{- $of := dict "root" $ "name" . -}}
{{- $sum = add $sum (mul (add1 (include "bearing.processes" $of | int)) (include "bearing.connections" $of | int)) -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{/* Refuses values that are each right and wrong together. */}}
{{- define "bearing.check" -}}
{{- if not .Values.image.registry }}
{{- fail "Set image.registry to where the images of Bearing are. Without it Kubernetes pulls images of these names from Docker Hub." }}
{{- end }}
{{- range list "gateway" "management" "location" }}
{{- if and $.Values.one.enabled (index $.Values .).autoscaling.enabled }}
{{- fail (printf "one.enabled runs a single process, so %s.autoscaling has to be off." .) }}
{{- end }}
{{- end }}
{{- if and .Values.httpRoute.enabled .Values.ingress.enabled }}
{{- fail "Enable httpRoute or ingress, not both." }}
{{- end }}
{{- if and (not .Values.redis.enabled) (not .Values.redis.acceptLimitsPerProcess) }}
{{- range list "gateway" "identity" "location" }}
{{- if gt (include "bearing.processes" (dict "root" $ "name" .) | int) 1 }}
{{- fail (printf "Without Redis each process of %s counts rate limits separately. Set redis.enabled to true, one process (replicas: 1, no autoscaling), or redis.acceptLimitsPerProcess to true." .) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .Values.management.autoscaling.enabled (not .Values.management.autoscaling.prometheusAddress) }}
{{- fail "management.autoscaling needs prometheusAddress: it scales by the age of a queue." }}
{{- end }}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}
{{- fail "httpRoute needs parentRefs: the Gateway that it belongs to." }}
{{- end }}
{{- end -}}

{{/*
The spec of a pod: all processes can have the same. Takes {root, name, values, env} and optionally {account, container}: what only
this container has, as YAML.
*/}}
{{- define "bearing.pod" -}}
{{- $root := .root }}{{ $values := .values -}}
serviceAccountName: {{ include "bearing.fullname" $root }}-{{ .name }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $key := list "imagePullSecrets" "hostAliases" "dnsConfig" }}
{{- with index $root.Values $key }}
{{ $key }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with include "bearing.placement" $values | trim }}
{{ . }}
{{- end }}
{{- with $values.initContainers }}
initContainers:
  {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: {{ .name }}
    image: {{ include "bearing.image" . }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    {{- with $root.Values.securityContext }}
    securityContext:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    env:
      {{- .env | nindent 6 }}
      {{- range $variable, $value := $values.extraEnv }}
      - name: {{ $variable }}
        value: {{ $value | quote }}
      {{- end }}
    {{- with .container }}
    {{- . | nindent 4 }}
    {{- end }}
    resources:
      {{- toYaml $values.resources | nindent 6 }}
    {{- with $values.volumeMounts }}
    volumeMounts:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  {{- with $values.sidecars }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $values.volumes }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Where pods run. Takes the values of one process. */}}
{{- define "bearing.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}
