# A shared cache in front of Podium: Varnish 7 with the xkey module (Debian: varnish, varnish-modules).
# Podium runs with PODIUM_EDGE_SECONDS=3600 and PODIUM_EDGE_PURGE_URL=http://127.0.0.1:6081/edge/purge
vcl 4.1;

import std;
import xkey;

backend podium {
	.host = "127.0.0.1";
	.port = "3000";
}

# The nodes of Podium.
acl purgers {
	"127.0.0.1";
}

sub vcl_recv {
	if (req.url == "/edge/purge") {
		if (req.method != "POST" || !req.http.Surrogate-Key || client.ip !~ purgers) {
			return (synth(403, "Forbidden"));
		}
		set req.http.Purged = xkey.purge(req.http.Surrogate-Key);
		return (synth(200, "Purged"));
	}
	# These ask for what is theirs, or for a state that the cache may not have yet.
	if (req.http.Podium-Position || req.http.X-Api-Key || req.http.Authorization
		|| req.http.Cookie ~ "(^|;)\s*(__Host-)?podium_session=") {
		return (pass);
	}
	# Server-sent events.
	if (req.http.Accept ~ "text/event-stream") {
		return (pass);
	}
	# No public read depends on another cookie.
	if (req.method == "GET" || req.method == "HEAD") {
		unset req.http.Cookie;
	}
}

sub vcl_backend_response {
	set beresp.grace = 0s;
	if (beresp.http.Surrogate-Key) {
		set beresp.http.xkey = beresp.http.Surrogate-Key;
		if (beresp.http.Surrogate-Control ~ "stale-while-revalidate=") {
			set beresp.grace = std.duration(
				regsub(beresp.http.Surrogate-Control, ".*stale-while-revalidate=([0-9]+).*", "\1s"), 0s);
		}
		unset beresp.http.Surrogate-Control;
		unset beresp.http.Surrogate-Key;
	}
}

sub vcl_deliver {
	unset resp.http.xkey;
}
